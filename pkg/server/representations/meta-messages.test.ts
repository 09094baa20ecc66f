import { describe, expect, it } from '@jest/globals';
import { StatusError } from '../../apimachinery/status/status-error.ts';
import { APIResourceListShape, StatusShape } from '../../apis/meta/v1/shapes.gen.ts';
import { parseEnvelope } from '../../schema/protobuf/envelope.ts';
import { createMessageCodec } from '../../schema/protobuf/message-codec.ts';
import { createMetaMessages } from './meta-messages.ts';

const meta = createMetaMessages();

describe('In protobuf', () => {
  it('a Status says all that it says in JSON', () => {
    const error = new StatusError('Expired', 'too old', {
      details: {
        name: 'x',
        kind: 'cronjobs',
        uid: 'u',
        causes: [{ reason: 'FieldValueInvalid', message: 'm', field: 'f' }],
        retryAfterSeconds: 3,
      },
      continueToken: 'next',
    });
    const { kind, apiVersion, raw } = parseEnvelope(meta.toStatus(error.toStatus()));
    expect({ kind, apiVersion, ...createMessageCodec(StatusShape).decode(raw) }).toEqual(error.toStatus());
    expect(meta.fromJson(Buffer.from(JSON.stringify(error.toStatus())))).toEqual(meta.toStatus(error.toStatus()));
  });

  it('documents of discovery are what they are in JSON', () => {
    const resource = {
      name: 'cronjobs',
      singularName: 'cronjob',
      namespaced: true,
      kind: 'CronJob',
      verbs: ['get', 'list'],
      shortNames: ['cj'],
    };
    const list = { kind: 'APIResourceList', apiVersion: 'v1', groupVersion: 'batch/v1', resources: [resource] };
    const { kind, raw } = parseEnvelope(meta.fromJson(Buffer.from(JSON.stringify(list))) ?? Buffer.alloc(0));
    expect({ kind, apiVersion: 'v1', ...createMessageCodec(APIResourceListShape).decode(raw) }).toEqual(list);
  });

  it.each([{ paths: [] }, { kind: 'Table', apiVersion: 'meta.k8s.io/v1' }, { kind: 'Status', apiVersion: 'v2' }])(
    'there is no %j',
    (value) => {
      expect(meta.fromJson(Buffer.from(JSON.stringify(value)))).toBeUndefined();
    },
  );
});
