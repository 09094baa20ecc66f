import { describe, expect, it } from '@jest/globals';
import { chooseFolders } from './client-folders.ts';

const folders = ['go', 'java', 'rust'].map((name) => ({ name, path: `/${name}` }));
const chosen = (wanted: string) => chooseFolders(folders, wanted).map(({ name }) => name);

describe('The choice of clients', () => {
  it('is all of them when none is named', () => {
    expect(chosen('')).toEqual(['go', 'java', 'rust']);
  });

  it('is those that are named, in their own order', () => {
    expect(chosen('rust,go')).toEqual(['go', 'rust']);
    expect(chosen(' java, rust ')).toEqual(['java', 'rust']);
  });

  it('names those that there are when one is unknown', () => {
    expect(() => chosen('go,cobol')).toThrow(new Error('there is no client cobol, only go, java, rust'));
  });
});
