/** What the garbage collector does to objects, whatever the backend. Each backend's test is one call. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { KubernetesObject } from '../../pkg/apis/kind.ts';
import type { OpenBackend } from '../registry/object-store-suite.ts';
import { waitFor } from '../support/wait.ts';
import { HOLD, OwnershipWorld, referenceTo } from './ownership-world.ts';

const BLOCKING = { blockOwnerDeletion: true };

export function describeGarbageCollector(name: string, open: () => Promise<OpenBackend>): void {
  describe(`garbage collector on ${name}`, () => {
    let opened: OpenBackend;
    let world: OwnershipWorld;
    beforeAll(async () => {
      opened = await open();
      world = await OwnershipWorld.open(opened.backend);
      // Events are written in namespaces that exist.
      for (const namespace of ['b', 'default']) await world.create(namespace, { kind: 'Namespace' });
    });
    afterAll(async () => {
      await world.close();
      await opened.close();
    });

    /** Which of them exist when all is settled, and `-` for those that are being deleted. */
    const left = async (...objects: readonly KubernetesObject[]): Promise<readonly string[]> => {
      await world.settle();
      const read = await Promise.all(objects.map((object) => world.read(object)));
      return read.flatMap((object) =>
        object === undefined ? [] : [`${object.metadata.deletionTimestamp === undefined ? '' : '-'}${object.metadata.name ?? ''}`],
      );
    };
    const ownersOf = async (object: KubernetesObject) =>
      (await world.read(object))?.metadata.ownerReferences?.map((reference) => reference['name']);

    describe('background', () => {
      it('deletes the dependents of an object, theirs too, and nothing else', async () => {
        const owner = await world.create('b-owner');
        const child = await world.create('b-child', { owners: [referenceTo(owner)], kind: 'CronJob' });
        const grandchild = await world.create('b-grandchild', { owners: [referenceTo(child)] });
        const other = await world.create('b-other');
        await world.delete(owner, 'Background');
        expect(await left(owner, child, grandchild, other)).toEqual(['b-other']);
      });

      it('keeps a dependent that has another owner, and takes the reference from it', async () => {
        const [first, second] = [await world.create('b-first'), await world.create('b-second')];
        const child = await world.create('b-shared', { owners: [referenceTo(first), referenceTo(second)] });
        await world.delete(first);
        expect(await left(first, second, child)).toEqual(['b-second', 'b-shared']);
        expect(await ownersOf(child)).toEqual(['b-second']);
        await world.delete(second);
        expect(await left(child)).toEqual([]);
      });

      it('deletes in a cycle, when one of it is deleted', async () => {
        const a = await world.create('b-cycle-a');
        const b = await world.create('b-cycle-b', { owners: [referenceTo(a)] });
        await world.setOwners(a, [referenceTo(b)]);
        expect(await left(a, b)).toEqual(['b-cycle-a', 'b-cycle-b']);
        await world.delete(a);
        expect(await left(a, b)).toEqual([]);
      });

      it('waits for the finalizers of others', async () => {
        const owner = await world.create('b-held-owner', { finalizers: [HOLD] });
        const child = await world.create('b-held-child', { owners: [referenceTo(owner)], finalizers: [HOLD] });
        await world.delete(owner);
        expect(await left(owner, child)).toEqual(['-b-held-owner', 'b-held-child']);
        await world.release(owner);
        expect(await left(owner, child)).toEqual(['-b-held-child']);
        await world.release(child);
        expect(await left(child)).toEqual([]);
      });

      it('does not take another object with the name of an owner for it', async () => {
        const owner = await world.create('b-again');
        const child = await world.create('b-again-child', { owners: [referenceTo(owner)] });
        await world.delete(owner, 'Background');
        const again = await world.create('b-again');
        expect(await left(again, child)).toEqual(['b-again']);
      });
    });

    describe('an owner that is not there', () => {
      it('makes an object garbage as soon as it refers to it', async () => {
        const gone = await world.create('m-gone');
        await world.delete(gone);
        const child = await world.create('m-child', { owners: [referenceTo(gone)] });
        const later = await world.create('m-later');
        await world.setOwners(later, [referenceTo(gone)]);
        expect(await left(child, later)).toEqual([]);
      });

      it('includes one whose uid, name or kind differs', async () => {
        const owner = await world.create('m-owner');
        const children = [
          await world.create('m-by-uid', { owners: [referenceTo(owner, { uid: 'another' })] }),
          await world.create('m-by-name', { owners: [referenceTo(owner, { name: 'another' })] }),
          await world.create('m-by-kind', { owners: [referenceTo(owner, { kind: 'CronJob', apiVersion: 'batch/v1' })] }),
        ];
        const right = await world.create('m-right', { owners: [referenceTo(owner)] });
        expect(await left(owner, ...children, right)).toEqual(['m-owner', 'm-right']);
      });

      it('of a kind that is not served keeps everything, until the reference is taken away', async () => {
        const foreign = { apiVersion: 'example.com/v1', kind: 'Widget', name: 'w', uid: 'w' };
        const gone = await world.create('m-unserved-gone');
        const child = await world.create('m-unserved', { owners: [foreign, referenceTo(gone)] });
        await world.delete(gone);
        expect(await left(child)).toEqual(['m-unserved']);
        await world.setOwners(child, [referenceTo(gone)]);
        expect(await left(child)).toEqual([]);
      });

      it('decides anew when a reference to it is corrected', async () => {
        const gone = await world.create('m-corrected-gone');
        await world.delete(gone);
        const unserved = await world.create('m-unserved-kind', { owners: [referenceTo(gone, { kind: 'Widget' })] });
        const impossible = await world.create('m-impossible', { kind: 'VolumeAttachment', owners: [referenceTo(gone)] });
        expect(await left(unserved, impossible)).toEqual(['m-unserved-kind', 'm-impossible']);
        await world.setOwners(unserved, [referenceTo(gone)]);
        await world.setOwners(impossible, [{ ...referenceTo(gone), kind: 'VolumeAttachment', apiVersion: impossible.apiVersion }]);
        expect(await left(unserved, impossible)).toEqual([]);
      });

      it('may be an Event, which is found under both its groups', async () => {
        const event = await world.create('m-event', { kind: 'Event' });
        const child = await world.create('m-event-child', { owners: [referenceTo(event)] });
        const other = await world.create('m-event-other', { owners: [referenceTo(event, { uid: 'another' })] });
        expect(await left(child, other)).toEqual(['m-event-child']);
        await world.delete(event);
        expect(await left(child)).toEqual([]);
      });
    });

    describe('namespaces', () => {
      const messages = async (object: KubernetesObject) =>
        (await world.list('Event'))
          .filter(({ regarding }) => (regarding as { uid?: string } | undefined)?.uid === object.metadata.uid)
          .map(({ reason, type, note, reportingController, metadata: { namespace } }) => ({
            reason,
            type,
            note,
            reportingController,
            namespace,
          }));

      it('separate owners from dependents, and an Event says so', async () => {
        const owner = await world.create('n-owner');
        const child = await world.create('n-child', { namespace: 'b', owners: [referenceTo(owner)] });
        expect(await left(owner, child)).toEqual(['n-owner']);
        await waitFor(async () => (await messages(child)).length > 0, { what: 'the Event' });
        const { uid = '' } = owner.metadata;
        expect(await messages(child)).toEqual([
          {
            reason: 'OwnerRefInvalidNamespace',
            type: 'Warning',
            note: `ownerRef [apps/v1/ControllerRevision, namespace: b, name: n-owner, uid: ${uid}] does not exist in namespace "b"`,
            reportingController: 'garbage-collector-controller',
            namespace: 'b',
          },
        ]);
      });

      it('do not separate cluster-scoped owners', async () => {
        const owner = await world.create('n-global', { kind: 'VolumeAttachment' });
        const child = await world.create('n-of-global', { namespace: 'b', owners: [referenceTo(owner)] });
        expect(await left(owner, child)).toEqual(['n-global', 'n-of-global']);
        await world.delete(owner);
        expect(await left(owner, child)).toEqual([]);
      });

      it('keep a cluster-scoped object whose owner has one, even if that is gone', async () => {
        const owner = await world.create('n-namespaced');
        const child = await world.create('n-cluster-scoped', { kind: 'VolumeAttachment', owners: [referenceTo(owner)] });
        await waitFor(async () => (await messages(child)).length > 0, { what: 'the Event' });
        expect(await messages(child)).toMatchObject([{ reason: 'OwnerRefInvalidNamespace', namespace: 'default' }]);
        await world.delete(owner);
        expect(await left(owner, child)).toEqual(['n-cluster-scoped']);
      });
    });

    describe('foreground', () => {
      it('deletes the dependents first', async () => {
        const owner = await world.create('f-owner');
        const child = await world.create('f-child', { owners: [referenceTo(owner, BLOCKING)], finalizers: [HOLD] });
        await world.delete(owner, 'Foreground');
        expect(await left(owner, child)).toEqual(['-f-owner', '-f-child']);
        expect((await world.read(owner))?.metadata.finalizers).toEqual(['foregroundDeletion']);
        await world.release(child);
        expect(await left(owner, child)).toEqual([]);
      });

      it('does not wait for those that do not block', async () => {
        const owner = await world.create('f-free-owner');
        const child = await world.create('f-free-child', { owners: [referenceTo(owner)], finalizers: [HOLD] });
        await world.delete(owner, 'Foreground');
        expect(await left(owner, child)).toEqual(['-f-free-child']);
        await world.release(child);
        expect(await left(child)).toEqual([]);
      });

      it('goes through all generations', async () => {
        const objects = [await world.create('f-0')];
        for (let depth = 1; depth < 5; depth++) {
          const owner = objects.at(-1);
          if (owner !== undefined) objects.push(await world.create(`f-${depth}`, { owners: [referenceTo(owner, BLOCKING)] }));
        }
        const [root] = objects;
        const last = objects.at(-1);
        if (root === undefined || last === undefined) throw new Error('no objects');
        await world.patch(last, () => ({ finalizers: [HOLD] }));
        await world.delete(root, 'Foreground');
        expect(await left(...objects)).toEqual(['-f-0', '-f-1', '-f-2', '-f-3', '-f-4']);
        await world.release(last);
        expect(await left(...objects)).toEqual([]);
      });

      it('takes its reference from a dependent that has another owner', async () => {
        const [owner, other] = [await world.create('f-one'), await world.create('f-other')];
        const child = await world.create('f-shared', { owners: [referenceTo(owner, BLOCKING), referenceTo(other)] });
        await world.delete(owner, 'Foreground');
        expect(await left(owner, other, child)).toEqual(['f-other', 'f-shared']);
        expect(await ownersOf(child)).toEqual(['f-other']);
      });

      it('ends when a dependent blocks no more, is orphaned by hand, or is gone', async () => {
        for (const [index, release] of [
          (child: KubernetesObject, owner: KubernetesObject) => world.setOwners(child, [referenceTo(owner)]),
          (child: KubernetesObject) => world.setOwners(child, []),
          (child: KubernetesObject) => world.release(child),
        ].entries()) {
          const owner = await world.create(`f-blocked-${index}`);
          const child = await world.create(`f-blocker-${index}`, { owners: [referenceTo(owner, BLOCKING)], finalizers: [HOLD] });
          await world.delete(owner, 'Foreground');
          expect(await left(owner)).toEqual([`-f-blocked-${index}`]);
          await release(child, owner);
          expect(await left(owner)).toEqual([]);
        }
      });

      it('deletes a dependent that came to block it while it waits, when it looks again', async () => {
        const owner = await world.create('f-late-owner');
        const held = await world.create('f-late-held', { owners: [referenceTo(owner, BLOCKING)], finalizers: [HOLD] });
        await world.delete(owner, 'Foreground');
        await world.settle();
        const late = await world.create('f-late', { owners: [referenceTo(owner, BLOCKING)] });
        const free = await world.create('f-late-free', { owners: [referenceTo(owner)] });
        expect(await left(owner, held, late, free)).toEqual(['-f-late-owner', '-f-late-held', 'f-late', 'f-late-free']);
        await world.release(held);
        expect(await left(owner, held, late, free)).toEqual([]);
      });

      it('ends in a cycle', async () => {
        const a = await world.create('f-cycle-a');
        const b = await world.create('f-cycle-b', { owners: [referenceTo(a, BLOCKING)] });
        const c = await world.create('f-cycle-c', { owners: [referenceTo(b, BLOCKING)] });
        await world.setOwners(a, [referenceTo(c, BLOCKING)]);
        await world.delete(a, 'Foreground');
        expect(await left(a, b, c)).toEqual([]);
      });

      it('keeps an object of a cycle whose owner is held by others, as Kubernetes does', async () => {
        const a = await world.create('h-cycle-a', { finalizers: [HOLD] });
        const b = await world.create('h-cycle-b', { owners: [referenceTo(a, BLOCKING)] });
        await world.setOwners(a, [referenceTo(b, BLOCKING)]);
        await world.delete(a, 'Foreground');
        expect(await left(a, b)).toEqual(['-h-cycle-a', 'h-cycle-b']);
        await world.release(a);
        expect(await left(a, b)).toEqual([]);
      });

      it('waits for ever for an object that owns itself, as in Kubernetes', async () => {
        const self = await world.create('f-self');
        await world.setOwners(self, [referenceTo(self, BLOCKING)]);
        await world.delete(self, 'Foreground');
        expect(await left(self)).toEqual(['-f-self']);
        await world.setOwners(self, []);
        expect(await left(self)).toEqual([]);
      });
    });

    it('takes a dependent that has waited for its own ones for a part of a cycle, as Kubernetes does', async () => {
      const owner = await world.create('w-owner');
      const child = await world.create('w-child', { owners: [referenceTo(owner, BLOCKING)] });
      const held = await world.create('w-held', { owners: [referenceTo(child, BLOCKING)], finalizers: [HOLD] });
      await world.delete(held, 'Foreground');
      await world.settle();
      await world.delete(owner, 'Foreground');
      // Neither waits for it.
      expect(await left(owner, child, held)).toEqual(['-w-held']);
      await world.release(held);
      expect(await left(owner, child, held)).toEqual([]);
    });

    it('judges an object anew when a reference to the same owner is added', async () => {
      const owner = await world.create('t-owner');
      const child = await world.create('t-child', { owners: [referenceTo(owner)] });
      await world.setOwners(child, [referenceTo(owner), { ...referenceTo(owner), name: 'another' }]);
      await world.settle();
      expect(await left(child)).toEqual(['t-child']);
      expect(await ownersOf(child)).toBeUndefined();
    });

    describe('orphan', () => {
      it('keeps the dependents, and takes the reference from them', async () => {
        const owner = await world.create('o-owner');
        const other = await world.create('o-other');
        const children = [
          await world.create('o-one', { owners: [referenceTo(owner, BLOCKING)] }),
          await world.create('o-two', { owners: [referenceTo(other), referenceTo(owner)], finalizers: [HOLD] }),
        ];
        await world.delete(owner, 'Orphan');
        expect(await left(owner, ...children)).toEqual(['o-one', 'o-two']);
        expect(await Promise.all(children.map(ownersOf))).toEqual([undefined, ['o-other']]);
        for (const child of children) expect((await world.read(child))?.metadata.uid).toBe(child.metadata.uid);
      });

      it('writes in its own name', async () => {
        const owner = await world.create('o-manager-owner');
        const child = await world.create('o-manager', { owners: [referenceTo(owner)] });
        await world.delete(owner, 'Orphan');
        await world.settle();
        const { managedFields = [] } = (await world.read(child))?.metadata ?? {};
        expect(managedFields.map(({ manager }) => manager)).not.toContain('kube-controller-manager');
        expect(await left(owner)).toEqual([]);
      });

      it('lets an object without dependents go, unless others hold it', async () => {
        const alone = await world.create('o-alone');
        const held = await world.create('o-held', { finalizers: [HOLD] });
        await world.delete(alone, 'Orphan');
        await world.delete(held, 'Orphan');
        expect(await left(alone, held)).toEqual(['-o-held']);
        expect((await world.read(held))?.metadata.finalizers).toEqual([HOLD]);
      });

      it('is what an owner is deleted with that has the finalizer, when it is garbage', async () => {
        const owner = await world.create('o-root');
        const child = await world.create('o-finalized', { owners: [referenceTo(owner)], finalizers: ['orphan'] });
        const grandchild = await world.create('o-grandchild', { owners: [referenceTo(child)] });
        await world.delete(owner, 'Background');
        expect(await left(owner, child, grandchild)).toEqual(['o-grandchild']);
        expect(await ownersOf(grandchild)).toBeUndefined();
      });
    });

    it('leaves references and finalizers of Events alone', async () => {
      const gone = await world.create('e-gone');
      await world.delete(gone);
      const event = await world.create('e-event', { kind: 'Event', owners: [referenceTo(gone)] });
      expect(await left(event)).toEqual(['e-event']);
    });
  });
}
