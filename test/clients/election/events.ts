/** Events in which clients say who leads. Not every client does. */
import { CoreV1Api, type KubeConfig } from '@kubernetes/client-node';

export interface Records {
  /** Messages of the Events about the lock. */
  readonly messages: () => Promise<readonly string[]>;
  readonly remove: () => Promise<void>;
}

export function openRecords(config: KubeConfig, namespace: string): Records {
  const api = config.makeApiClient(CoreV1Api);
  const fieldSelector = 'involvedObject.kind=Lease,involvedObject.name=election,reason=LeaderElection';
  return {
    messages: async () => (await api.listNamespacedEvent({ namespace, fieldSelector })).items.map(({ message }) => message ?? ''),
    remove: async () => {
      await api.deleteCollectionNamespacedEvent({ namespace });
    },
  };
}
