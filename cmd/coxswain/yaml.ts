/** Reading YAML, loaded when there is some. A file of its own, so that the bundle finds the names of a CommonJS package. */
export { parse } from 'yaml';
