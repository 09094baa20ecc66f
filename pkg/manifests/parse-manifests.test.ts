import { afterAll, describe, expect, it } from '@jest/globals';
import { YamlReader } from '../apimachinery/yaml/yaml-reader.ts';
import { parseManifests } from './parse-manifests.ts';

const yaml = new YamlReader();
afterAll(() => yaml.close());

async function parse(text: string) {
  const { objects, problems } = await parseManifests(text, 'a.yaml', yaml);
  return {
    objects: objects.map(({ line, kind, namespace, name, json }) => [line, `${kind} ${namespace}/${name}`, json.toString()]),
    problems: problems.map(({ line, reason }) => [line, reason]),
  };
}

const text = (name: string) => `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"${name}"}}`;

describe('A file of manifests', () => {
  it('has documents, with the lines of their first fields', async () => {
    const { objects, problems } = await parse(
      `# The first line.
---
apiVersion: v1
kind: ConfigMap
metadata: {name: a, namespace: shop}
---
# Nothing but a comment.
--- # and the next
{"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "b"}}
---
`,
    );
    expect(problems).toEqual([]);
    expect(objects).toEqual([
      [3, 'ConfigMap shop/a', '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a","namespace":"shop"}}'],
      [9, 'ConfigMap /b', expect.stringContaining('"b"')],
    ]);
  });

  it.each(['', '\n', '# nothing\n', '---\n---\n', 'null', '{"apiVersion":"v1","kind":"List","items":[]}', 'kind: List\nitems:'])(
    'may be without objects: %j',
    async (empty) => {
      expect(await parse(empty)).toEqual({ objects: [], problems: [] });
    },
  );

  it('may be JSON, with a byte order mark and lines that end in CRLF', async () => {
    expect((await parse(`\ufeff{\r\n${text('a').slice(1)}\r\n`)).objects).toMatchObject([[1, 'ConfigMap /a', expect.any(String)]]);
  });

  it('may have lists, also in lists', async () => {
    const list = `{"apiVersion":"v1","kind":"List","items":[${text('a')},{"kind":"ConfigMapList","items":[${text('b')}]}]}`;
    expect((await parse(list)).objects).toEqual([
      [1, 'ConfigMap /a', text('a')],
      [1, 'ConfigMap /b', text('b')],
    ]);
  });

  it('keeps numbers as they are written', async () => {
    const item = '{"apiVersion":"v1","kind":"X","metadata":{"name":"a"},"data":[9007199254740993,1.0,1e2]}';
    expect((await parse(`{"kind":"List","items":[${item}]}`)).objects).toEqual([[1, 'X /a', item]]);
  });

  it.each([
    ['a: [b', 1, /flow|expected|indicate|\]/],
    ['- a', 1, /it is no object/],
    ['kind: ConfigMap\nmetadata: {name: a}', 1, /apiVersion is missing/],
    ['apiVersion: v1\nmetadata: {name: a}', 1, /kind is missing/],
    ['\n\napiVersion: v1\nkind: ConfigMap', 3, /metadata\.name is missing/],
    ['apiVersion: v1\nkind: ConfigMap\nmetadata: {generateName: a-}', 1, /metadata\.name is missing/],
    ['apiVersion: v1\nkind: ConfigMap\nmetadata: a', 1, /it is no object/],
    ['kind: List\nitems: {}', 1, /items is no list/],
    ['{"kind":"ConfigMap","kind":"Secret"}', 1, /the field kind is there twice/],
  ])('that is wrong is told of: %j', async (wrong, line, reason) => {
    expect((await parse(wrong)).problems).toEqual([[line, expect.stringMatching(reason)]]);
  });

  it('with a broken document has the others', async () => {
    const { objects, problems } = await parse(`${text('a')}\n---\na: [b\n---\n${text('c')}`);
    expect(objects.map(([line, object]) => [line, object])).toEqual([
      [1, 'ConfigMap /a'],
      [5, 'ConfigMap /c'],
    ]);
    expect(problems).toEqual([[3, expect.any(String)]]);
  });
});
