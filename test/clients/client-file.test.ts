import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { clientFolders } from './client-folders.ts';
import { parseClientFile } from './client-file.ts';

const valid = {
  language: 'Go',
  client: 'example.com/client 1.2.3',
  tools: [['go', 'version']],
  prepare: [['go', 'build']],
  programs: [{ name: 'story', command: ['bin/story'], steps: ['discover', 'create'] }],
};
const program = valid.programs[0];

describe('client.json', () => {
  it('says what a language needs and runs', () => {
    expect(parseClientFile(JSON.stringify(valid), 'go/client.json')).toEqual(valid);
  });

  it.each([
    ['no JSON', '{', /^go\/client\.json: not JSON \(.+\)$/],
    ['a list', [], 'the file is not an object'],
    ['a missing member', { ...valid, tools: undefined }, 'the file has no tools'],
    [
      'an unknown member',
      { ...valid, tool: [] },
      'the file has an unknown member tool; known are language, client, tools, prepare, programs',
    ],
    ['an empty text', { ...valid, language: '' }, 'language is not a text'],
    ['a command that is a text', { ...valid, tools: ['go version'] }, 'tools[0] is not a list'],
    ['an empty command', { ...valid, prepare: [[]] }, 'prepare[0] is empty'],
    ['an argument that is a number', { ...valid, prepare: [['sleep', 1]] }, 'prepare[0][1] is not a text'],
    ['no program', { ...valid, programs: [] }, 'programs is empty'],
    ['a program without steps', { ...valid, programs: [{ ...program, steps: [] }] }, 'programs[0].steps is empty'],
    ['two programs of one name', { ...valid, programs: [program, program] }, 'two programs are called story'],
  ])('is refused with %s', (_, content, why) => {
    const text = typeof content === 'string' ? content : JSON.stringify(content);
    expect(() => parseClientFile(text, 'go/client.json')).toThrow(why instanceof RegExp ? why : `go/client.json: ${why}`);
  });

  it.each(clientFolders())('of $name can be read', ({ path }) => {
    expect(() => parseClientFile(readFileSync(join(path, 'client.json'), 'utf8'), path)).not.toThrow();
  });
});
