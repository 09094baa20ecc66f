import assert from 'node:assert/strict';
import { APP, type Story } from './kapp.ts';

export async function list({ kapp, namespace }: Story): Promise<void> {
  assert.deepEqual(
    (await kapp.rows('list')).map(({ name, namespaces, last_change_successful: successful }) => [name, namespaces, successful]),
    [[APP, namespace, 'true']],
  );
}

/** kapp finds its objects by a label, among all resources of all groups. */
export async function inspect({ kapp }: Story): Promise<void> {
  const rows = await kapp.rows('inspect', '--app', APP);
  assert.deepEqual(
    rows.map(({ kind, name, reconcile_state: state }) => [kind, name, state]),
    [
      ['Job', 'first-report', 'ok'],
      ['CronJob', 'nightly', 'ok'],
      ['PodDisruptionBudget', 'nightly', 'ok'],
      ['ServiceAccount', 'nightly', 'ok'],
      ['ConfigMap', 'nightly-settings-ver-1', 'ok'],
      ['Secret', 'nightly-token', 'ok'],
    ],
  );
}

/** Newest first: each deployment that changed something, one of them refused. */
export async function history({ kapp }: Story): Promise<void> {
  const rows = await kapp.rows('app-change', 'list', '--app', APP);
  assert.deepEqual(
    rows.map(({ successful }) => successful),
    ['true', 'false', 'true', 'true'],
  );
}
