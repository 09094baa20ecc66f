import { describe, expect, it } from '@jest/globals';
import { allShapes } from '../../../test/support/shapes.ts';
import { PartialObjectMetadataShape } from '../../apis/meta/v1/shapes.gen.ts';
import { createKinds } from '../../apis/kinds.gen.ts';
import { createListMessage, V1BETA1_METADATA_LIST_FIELDS } from './list-message.ts';
import { createMessageCodec } from './message-codec.ts';

const kinds = createKinds({ groupSuffix: 'example.org' });

describe('a list in segments', () => {
  it.each(kinds)('equals the message of its codec: $definition.listKind', async ({ definition, shape }) => {
    const shapes = await allShapes();
    const listShape = shapes.get(shape.name.replace(definition.kind, definition.listKind));
    if (listShape === undefined) throw new Error(`no list of ${definition.kind}`);
    const metadata = { resourceVersion: '12', continue: 'x', remainingItemCount: 3 };
    const items = ['a', 'b'.repeat(300)].map((name) => ({ metadata: { name, resourceVersion: '7' } }));
    const list = createListMessage();
    const codec = createMessageCodec(shape);

    const pieces = [list.head(metadata), ...items.map((item) => list.element(codec.encode(item)))];

    expect(Buffer.concat(pieces)).toEqual(createMessageCodec(listShape).encode({ metadata, items }));
    expect(list.head({})).toEqual(createMessageCodec(listShape).encode({ items: [] }));
  });

  it('of metadata in v1beta1 has its fields swapped', () => {
    const list = createListMessage(V1BETA1_METADATA_LIST_FIELDS);
    const codec = createMessageCodec(PartialObjectMetadataShape);
    const [first, second] = [list.head({ resourceVersion: '12' }), list.element(codec.encode({ metadata: { name: 'a' } }))];
    // A tag is the field number and wire type 2.
    expect([first[0], second[0]]).toEqual([(2 << 3) | 2, (1 << 3) | 2]);
    expect(first.subarray(1)).toEqual(createListMessage().head({ resourceVersion: '12' }).subarray(1));
  });
});
