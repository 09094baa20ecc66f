/**
 * Every vector of a folder, one case each: `test/vectors`, or the folder that `make test-vectors VECTORS=…` names. A
 * file is a topic; one that has no runner fails, and so does a folder without any.
 */
import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from '@jest/globals';
import { TOPICS } from './topics.ts';
import { parseVectors, type Vector } from './vector.ts';

const given = process.env['VECTORS'] ?? '';
const folder = given === '' ? path.join(import.meta.dirname, '../vectors') : path.resolve(given);

/** A case that fails with one sentence. */
const fails = (title: string, why: string): void => {
  it(title, () => {
    throw new Error(why);
  });
};

function read<T>(what: () => T): T | Error {
  try {
    return what();
  } catch (error) {
    return new Error(String(error).replace(/^\w*Error: /, ''));
  }
}

function runTopic(topic: string, vectors: readonly Vector[]): void {
  const run = TOPICS.get(topic);
  if (run === undefined) {
    fails('has a runner', `There is no runner for ${topic} yet: ${vectors.length} vectors were not run.`);
    return;
  }
  for (const vector of vectors) it(vector.name, () => run(vector));
}

describe('vectors', () => {
  const files = read(() => readdirSync(folder).filter((file) => file.endsWith('.json')));
  if (files instanceof Error) {
    fails('are in a folder', `The vectors cannot be read: ${files.message}`);
    return;
  }
  if (files.length === 0) fails('are in the folder', `${folder} has no file of vectors, which is called <topic>.json.`);
  for (const file of files.sort()) {
    const topic = path.basename(file, '.json');
    describe(topic, () => {
      const vectors = read(() => parseVectors(readFileSync(path.join(folder, file))));
      if (vectors instanceof Error) fails('can be read', `${file}: ${vectors.message}`);
      else runTopic(topic, vectors);
    });
  }
});
