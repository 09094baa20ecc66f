import type { FieldPath } from '../../../../apimachinery/status/field-path.ts';

/** What is said of a field. */
export const warning = (path: FieldPath, text: string): string => `${path.toString()}: ${text}`;
