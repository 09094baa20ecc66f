/**
 * The YAML library, imported when it is needed. A module of its own, since esbuild finds the names of a CommonJS
 * package only for static imports.
 */
export { parse } from 'yaml';
