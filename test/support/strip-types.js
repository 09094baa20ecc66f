// Jest's transform: erases the types, as Node.js itself does when it runs these sources. Positions stay, so no source
// maps are needed.
import { stripTypeScriptTypes } from 'node:module';

export default {
  process: (source) => ({ code: stripTypeScriptTypes(source) }),
};
