import { describe, expect, it } from '@jest/globals';
import { kindSampleText } from '../../../test/support/kind-samples.ts';
import { badRequest } from '../../apimachinery/status/status-error.ts';
import { createKinds } from '../../apis/kinds.gen.ts';
import { createObjectCodec } from '../object-codec.ts';
import { createValidator } from '../validator.ts';
import { decodeBody } from './decode-body.ts';
import { writeEnvelope, type EnvelopeType } from './envelope.ts';
import { createMessageCodec } from './message-codec.ts';

const kinds = createKinds({ groupSuffix: 'k8s.io' });
const anyType = (): void => undefined;

describe('a protobuf body', () => {
  it.each(kinds)('decodes to the same object as its JSON: $definition.kind', ({ definition, shape }) => {
    const { kind, apiVersion } = definition;
    const json = createObjectCodec(shape);
    const { object } = json.decodeBody(Buffer.from(kindSampleText(kind, 'full')));
    const codec = createMessageCodec(shape);
    const types: EnvelopeType[] = [];

    const decoded = decodeBody(writeEnvelope({ kind, apiVersion }, codec.encode(object)), codec, (type) => types.push(type));

    expect(json.encode(decoded.object).toString()).toBe(json.encode(object).toString());
    expect(createValidator(shape).typeErrors(decoded.object)).toEqual([]);
    expect([decoded.findings, decoded.causes, types]).toEqual([[], [], [{ kind, apiVersion }]]);
  });

  it.each(kinds)('that is empty has no type errors, whatever is missing: $definition.kind', ({ shape }) => {
    const { object } = decodeBody(writeEnvelope({ kind: '', apiVersion: '' }, Buffer.alloc(0)), createMessageCodec(shape), anyType);
    expect(createValidator(shape).typeErrors(object)).toEqual([]);
  });

  it('has neither kind nor apiVersion if its envelope lacks them', () => {
    const shape = kinds[0]?.shape;
    if (shape === undefined) throw new Error('no kind');
    const { object } = decodeBody(writeEnvelope({ kind: '', apiVersion: '' }, Buffer.alloc(0)), createMessageCodec(shape), anyType);
    expect([object['kind'], object['apiVersion']]).toEqual([undefined, undefined]);
  });

  it('of another type is not decoded', () => {
    let isRead = false;
    const codec = {
      encode: () => Buffer.alloc(0),
      decode: () => {
        isRead = true;
        return {};
      },
    };
    const read = () =>
      decodeBody(writeEnvelope({ kind: 'Job', apiVersion: 'batch/v1' }, Buffer.alloc(1)), codec, ({ kind }) => {
        throw badRequest(`not a ${kind}`);
      });
    expect(read).toThrow('not a Job');
    expect(isRead).toBe(false);
  });
});
