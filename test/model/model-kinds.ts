/**
 * The kinds that histories are made of: one whose objects are selected by labels alone, and one with selectable fields
 * that may change.
 */
import { CRON_JOB } from '../support/kinds.ts';

/** What may differ from one state of an object to the next. */
export interface Draft {
  readonly tier: string | undefined;
  /** Shows in a field that may be selected, where the kind has one. */
  readonly urgent: boolean;
  readonly held: boolean;
}

export interface ModelKind {
  readonly kind: string;
  readonly root: string;
  readonly resource: string;
  /** A PUT of what is not there creates it. */
  readonly putCreates: boolean;
  readonly urgentField: ((urgent: boolean) => string) | undefined;
  readonly isUrgent: (fields: Readonly<Record<string, unknown>>) => boolean;
  /** Everything but metadata. */
  readonly fields: (name: string, namespace: string, urgent: boolean) => Readonly<Record<string, unknown>>;
  /** The part of it that says whether it is urgent. */
  readonly urgency: (urgent: boolean) => Readonly<Record<string, unknown>>;
}

const jobs: ModelKind = {
  kind: 'CronJob',
  root: '/apis/batch/v1',
  resource: 'cronjobs',
  putCreates: false,
  urgentField: undefined,
  isUrgent: (fields) => (fields['spec'] as { suspend?: boolean }).suspend !== true,
  fields: (name, namespace, urgent) => {
    const { metadata: _, ...fields } = CRON_JOB.sample(name, namespace);
    return { ...fields, spec: { ...(fields['spec'] as object), suspend: !urgent } };
  },
  urgency: (urgent) => ({ spec: { suspend: !urgent } }),
};

const typeOf = (urgent: boolean) => (urgent ? 'Warning' : 'Normal');
/** The core version: it lets every field of an Event change. */
const events: ModelKind = {
  kind: 'Event',
  root: '/api/v1',
  resource: 'events',
  putCreates: true,
  urgentField: (urgent) => `type=${typeOf(urgent)}`,
  isUrgent: (fields) => fields['type'] === 'Warning',
  fields: (name, namespace, urgent) => ({
    kind: 'Event',
    apiVersion: 'v1',
    involvedObject: { kind: 'CronJob', namespace, name },
    reason: 'Done',
    message: 'it ran',
    type: typeOf(urgent),
  }),
  urgency: (urgent) => ({ type: typeOf(urgent) }),
};

export const MODEL_KINDS = { jobs, events } as const;

export const GUARD = 'example.com/guard';
