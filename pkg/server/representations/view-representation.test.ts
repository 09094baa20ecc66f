import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '../../apimachinery/json/json-value.ts';
import { ObjectEncoding } from '../../apimachinery/meta/object-encoding.ts';
import { viewsOf } from '../../apis/kind-view.ts';
import { createKinds } from '../../apis/kinds.gen.ts';
import { createObjectCodec } from '../../schema/object-codec.ts';
import { toRevision } from '../../storage/backend.ts';
import { createViewRepresentation, itemConverterOf } from './view-representation.ts';

const [view] = viewsOf(createKinds({ groupSuffix: 'example.org' }));
if (view === undefined) throw new Error('no view');
const stored = createObjectCodec(view.stored.shape);
const toShown = itemConverterOf(view, (json) => stored.parseStored(json));
const encoding = new ObjectEncoding(view.stored.definition);
const { definition } = view;
const representation = createViewRepresentation({ definition, toShown, encoding, id: 'v1.Json', now: () => 0 });

const METADATA = '{"resourceVersion":"7","name":"a}\\"{","managedFields":[{"fieldsV1":{"f:regarding":{}}}]}';
const itemBytes = (rest: string) => Buffer.from(`{"metadata":${METADATA}${rest}}`);
const parsed = (json: Buffer) => JSON.parse(json.toString()) as JsonObject;
const NOTHING = {
  involvedObject: {},
  source: {},
  firstTimestamp: null,
  lastTimestamp: null,
  eventTime: null,
  reportingComponent: '',
  reportingInstance: '',
};

describe('An object of a view', () => {
  it('has the metadata of the stored one, byte for byte, and its fields under other names', () => {
    const shown = toShown(itemBytes(',"eventTime":null,"regarding":{"name":"x"},"note":"it ran","deprecatedCount":2'));
    expect(shown.toString().startsWith(`{"metadata":${METADATA},"involvedObject":{"name":"x"},"message":"it ran"`)).toBe(true);
    expect(parsed(shown)).toEqual({
      metadata: parsed(Buffer.from(METADATA)),
      ...NOTHING,
      involvedObject: { name: 'x' },
      message: 'it ran',
      count: 2,
    });
  });

  it.each([
    ['has nothing but metadata', ''],
    ['is damaged', ',"regarding":[}'],
  ])('is shown as far as it goes when the stored one %s', (_, rest) => {
    expect(parsed(toShown(itemBytes(rest)))).toEqual({ metadata: parsed(Buffer.from(METADATA)), ...NOTHING });
  });

  it('keeps no more alive than its own bytes', () => {
    const shown = toShown(itemBytes(',"note":"it ran"'));
    expect(shown.buffer.byteLength).toBe(shown.byteLength);
  });

  it('stands alone, in a list and in an event with the same fields', () => {
    const json = Buffer.concat([encoding.head, itemBytes(',"note":"it ran"').subarray(1)]);
    const alone = representation.toObject([json.subarray(0, 9), json.subarray(9)]).toString();
    expect(alone.endsWith('}\n')).toBe(true);
    const { kind, apiVersion, ...fields } = parsed(Buffer.from(alone));
    expect([kind, apiVersion]).toEqual(['Event', 'v1']);

    const { items } = representation;
    if (items.isContextFree === true) throw new Error('commas stand between objects of JSON');
    const prepared = items.template(itemBytes(',"note":"it ran"'));
    const target = Buffer.alloc(prepared.maxBytes);
    expect(parsed(target.subarray(0, prepared.writeTo(target, 0, Buffer.alloc(0), 0)))).toEqual(fields);
    expect(prepared.cost).toBeGreaterThan(prepared.maxBytes);
    expect(prepared.validUntil(0)).toBe(Infinity);
    expect(`${items.eventObject(itemBytes(',"note":"it ran"'), 0).bytes.toString()}\n`).toBe(alone);
  });

  it('is listed under the name of its own list', () => {
    const listHead = representation.listHead({ revision: toRevision(9) });
    if (typeof listHead === 'function') throw new Error('its length is not needed before');
    expect(listHead.toString() + representation.listTail.toString()).toBe(
      '{"kind":"EventList","apiVersion":"v1","metadata":{"resourceVersion":"9"},"items":[]}\n',
    );
  });
});
