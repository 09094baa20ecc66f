/** Imports the YAML library on use. A module of its own: esbuild resolves CommonJS names only in static imports. */
export { parse } from 'yaml';
