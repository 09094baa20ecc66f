import type { FieldPath } from '../../../../apimachinery/status/field-path.ts';

export const warning = (path: FieldPath, text: string): string => `${path.toString()}: ${text}`;
