/**
 * `node_modules/.bin/node cmd/codegen/make-facts.ts Lease resources.json types.json …` writes the facts of a kind. The
 * next steps are in docs/adding-a-kind.md.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { errorMessage } from '../../pkg/apimachinery/status/error-message.ts';
import { readFacts } from './facts.ts';
import { joinPublished, kindFolder, makeKindFacts } from './published-facts.ts';

const [kind, ...files] = process.argv.slice(2);
if (kind === undefined || files.length < 2) {
  console.error('Usage: node_modules/.bin/node cmd/codegen/make-facts.ts <Kind> <file of resources> <file of types>...');
  process.exit(2);
}
const apis = path.resolve(import.meta.dirname, '../../pkg/apis');

function readJson(file: string): object {
  let text = '';
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException;
    throw new Error(code === 'ENOENT' ? `${file}: there is no such file` : `${file} cannot be read: ${message}`, { cause: error });
  }
  try {
    return JSON.parse(text) as object;
  } catch (error) {
    throw new Error(`${file} is not JSON: ${String(error)}`, { cause: error });
  }
}

try {
  const published = joinPublished(files.map(readJson));
  const folder = kindFolder(published, kind);
  const present = readFacts(apis).files;
  const known = new Set(present.filter((file) => file.folder !== folder).flatMap(({ types }) => Object.keys(types)));
  const text = makeKindFacts(published, kind, known, present.find((file) => file.folder === folder)?.types);
  mkdirSync(path.join(apis, folder), { recursive: true });
  writeFileSync(path.join(apis, folder, 'facts.json'), text);
  console.log(`wrote pkg/apis/${folder}/facts.json`);
} catch (error) {
  console.error(errorMessage(error));
  process.exitCode = 1;
}
