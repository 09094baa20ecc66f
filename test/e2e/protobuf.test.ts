/** Objects in Kubernetes' protobuf, as Go clients send them and ask for them. */
import { describe, expect, it } from '@jest/globals';
import { DEFAULT_GROUP_SUFFIX } from '../../pkg/apis/group-suffix.ts';
import { createKinds } from '../../pkg/apis/kinds.gen.ts';
import { DeleteOptionsShape } from '../../pkg/apis/meta/v1/shapes.gen.ts';
import { createObjectCodec } from '../../pkg/schema/object-codec.ts';
import { sealEnvelope } from '../../pkg/schema/protobuf/envelope.ts';
import { createMessageCodec } from '../../pkg/schema/protobuf/message-codec.ts';
import { collectionPath, CRON_JOB, itemPath, KINDS } from '../support/kinds.ts';
import { describeServer } from '../support/stores.ts';

const PROTOBUF = 'application/vnd.kubernetes.protobuf';
const namespace = 'protobuf';
const types = new Map(
  createKinds({ groupSuffix: DEFAULT_GROUP_SUFFIX }).map(({ definition, shape }) => [
    definition.kind,
    { definition, json: createObjectCodec(shape), message: createMessageCodec(shape) },
  ]),
);

function typeOf(kind: string) {
  const found = types.get(kind);
  if (found === undefined) throw new Error(`no kind ${kind}`);
  return found;
}

/** The object as a body. */
function sealed(object: { readonly kind: string; readonly apiVersion: string }): Buffer {
  const { json, message } = typeOf(object.kind);
  const { kind, apiVersion } = object;
  return sealEnvelope({ kind, apiVersion }, message.encode(json.decodeBody(Buffer.from(JSON.stringify(object))).object));
}

describeServer('Protobuf', (api) => {
  const send = (method: string, path: string, body: Buffer) => api.send(method, path, { body, headers: { 'content-type': PROTOBUF } });

  describe('bodies', () => {
    it.each(KINDS)('create, replace and delete a $kind', async (kind) => {
      const sample = kind.sample('bodies', namespace);
      const at = itemPath(kind, namespace, sample.metadata.name);
      const viaJson = await api.post(`${collectionPath(kind, namespace)}?dryRun=All`, sample);
      const created = await send('POST', collectionPath(kind, namespace), sealed(sample));
      expect(created.code).toBe(201);
      const { metadata: _, ...expected } = viaJson.object();
      expect(created.object()).toMatchObject(expected);

      const stored = created.object();
      const labelled = { ...stored, metadata: { ...stored.metadata, labels: { from: 'protobuf' } } };
      const replaced = await send('PUT', at, sealed(labelled));
      expect([replaced.code, replaced.object().metadata.labels]).toEqual([200, { from: 'protobuf' }]);
      expect((await send('PUT', at, sealed(labelled))).status()).toMatchObject({ code: 409, reason: 'Conflict' });

      const options = (uid: string) =>
        sealEnvelope(
          { kind: 'DeleteOptions', apiVersion: kind.apiVersion },
          createMessageCodec(DeleteOptionsShape).encode({ preconditions: { uid } }),
        );
      expect((await send('DELETE', at, options('another'))).status()).toMatchObject({ code: 409 });
      expect((await send('DELETE', at, options(stored.metadata.uid))).code).toBe(200);
      expect((await api.get(at)).code).toBe(404);
    });

    it('are held against the path and the rules as in JSON', async () => {
      const collection = collectionPath(CRON_JOB, namespace);
      const refusalOf = async (body: Buffer) => {
        const { code, message = '' } = (await send('POST', collection, body)).status();
        return `${code} ${message}`;
      };
      const sample = CRON_JOB.sample('wrong', namespace);
      const { message } = typeOf('CronJob');
      const raw = message.encode({ metadata: { name: 'wrong' } });
      expect(await refusalOf(Buffer.alloc(0))).toMatch(/^400 .*empty/);
      expect(await refusalOf(Buffer.from(JSON.stringify(sample)))).toMatch(/^400 .*6b 38 73 00/);
      expect(await refusalOf(sealed(sample).subarray(0, 60))).toMatch(/^400 /);
      expect(await refusalOf(sealEnvelope({ kind: 'Job', apiVersion: 'batch/v1' }, raw))).toMatch(/^400 .*"Job" does not match/);
      expect(await refusalOf(sealEnvelope({ kind: 'CronJob', apiVersion: 'batch/v2' }, raw))).toMatch(/^400 .*"batch\/v2" does not match/);
      expect(await refusalOf(sealEnvelope({ kind: '', apiVersion: '' }, raw))).toMatch(/^422 .*spec\.schedule/);
    });

    it('keep unknown fields to themselves, however strict the validation', async () => {
      const { json, message } = typeOf('CronJob');
      const { object } = json.decodeBody(Buffer.from(JSON.stringify(CRON_JOB.sample('unknown', namespace))));
      // A field with the number 1000.
      const longer = Buffer.concat([message.encode(object), Buffer.from([0xc0, 0x3e, 0x01])]);
      const { kind, apiVersion } = CRON_JOB;
      const answer = await send(
        'POST',
        `${collectionPath(CRON_JOB, namespace)}?fieldValidation=Strict`,
        sealEnvelope({ kind, apiVersion }, longer),
      );
      expect([answer.code, answer.headers['warning']]).toEqual([201, undefined]);
    });
  });
});
