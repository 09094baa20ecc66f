/**
 * Imports the YAML library on use. It needs its own module, since esbuild finds the names of a CommonJS package only
 * for static imports.
 */
export { parse } from 'yaml';
