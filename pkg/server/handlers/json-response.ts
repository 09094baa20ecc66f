import type { ApiResponse } from '../transports/request.ts';

const NEWLINE = Buffer.from('\n');

/** Concatenates parts of one JSON value and adds a newline, as Kubernetes does. */
export const jsonResponse = (code: number, parts: readonly Buffer[]): ApiResponse => ({
  code,
  headers: { 'Content-Type': 'application/json' },
  body: [...parts, NEWLINE],
});

export const jsonValueResponse = (code: number, value: unknown): ApiResponse => jsonResponse(code, [Buffer.from(JSON.stringify(value))]);
