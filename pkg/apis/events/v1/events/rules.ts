/**
 * The rules of an Event. As in Kubernetes, causes have the field names of the core group: `involvedObject` for
 * `regarding`, `message` for `note`. Lengths are in bytes.
 */
import { checkDnsSubdomain, checkQualifiedName } from '../../../../apimachinery/meta/names.ts';
import { invalidValue, NO_CAUSES, required, shownText } from '../../../../apimachinery/status/causes.ts';
import { FieldPath } from '../../../../apimachinery/status/field-path.ts';
import type { StatusCause } from '../../../../apimachinery/status/status-error.ts';
import type { Unchecked } from '../../../define-strategy.ts';
import { nameCauses } from '../../../meta/v1/name-causes.ts';
import type { Event } from './types.gen.ts';

export type AnyEvent = Unchecked<Event>;

const TYPES = ['Normal', 'Warning'];
const MAX_WORD_BYTES = 128;
const MAX_NOTE_BYTES = 1024;

const NAMESPACE = FieldPath.of('namespace');

/** Rules for every Event. `controllerField`: the reporter field in causes; only the older form may omit it. */
export const validateEvent = (event: AnyEvent, controllerField = 'reportingController'): readonly StatusCause[] => [
  ...(event.eventTime === undefined ? namespaceCausesOfOlder(event) : causesOfNewer(event, FieldPath.of(controllerField))),
  ...nameCauses(event.metadata?.namespace ?? '', NAMESPACE, checkDnsSubdomain),
];

/** Additional rules for a new Event: an Event of the older form can be updated, but not created. */
export function validateNewForm(event: AnyEvent): readonly StatusCause[] {
  const { type = '', deprecatedSource: { component = '', host = '' } = {} } = event;
  return [
    ...validateSeries(event),
    ...(event.eventTime === undefined ? [required('eventTime')] : NO_CAUSES),
    ...(TYPES.includes(type) ? NO_CAUSES : [invalidValue('type', '', `has invalid value: ${shownText(type)}`)]),
    ...unsetCauses('firstTimestamp', event.deprecatedFirstTimestamp === undefined),
    ...unsetCauses('lastTimestamp', event.deprecatedLastTimestamp === undefined),
    ...unsetCauses('count', (event.deprecatedCount ?? 0) === 0),
    ...unsetCauses('source', component === '' && host === ''),
  ];
}

export function validateSeries({ series }: AnyEvent): readonly StatusCause[] {
  if (series === undefined) return NO_CAUSES;
  const { count = 0, lastObservedTime } = series;
  return [
    ...(count < 2 ? [invalidValue('series.count', '', 'should be at least 2')] : NO_CAUSES),
    ...(lastObservedTime === undefined ? [required('series.lastObservedTime')] : NO_CAUSES),
  ];
}

// The empty value is Kubernetes' own.
const unsetCauses = (field: string, isUnset: boolean) => (isUnset ? NO_CAUSES : [invalidValue(field, '', 'needs to be unset')]);

/** The object may be in any namespace; Events about a cluster-wide one must be in `default` or `kube-system`. */
const causesOfNewer = (event: AnyEvent, controllerField: FieldPath): readonly StatusCause[] => {
  const { reportingController = '', note = '', metadata: { namespace = '' } = {} } = event;
  const about = event.regarding?.namespace ?? '';
  const isMismatch = about === '' && namespace !== 'default' && namespace !== 'kube-system';
  return [
    ...(isMismatch ? [mismatch(about)] : NO_CAUSES),
    ...(reportingController === '' ? [required(controllerField)] : NO_CAUSES),
    ...nameCauses(reportingController, controllerField, checkQualifiedName),
    ...wordCauses('reportingInstance', event.reportingInstance),
    ...wordCauses('action', event.action),
    ...wordCauses('reason', event.reason),
    ...longCauses('message', note, MAX_NOTE_BYTES),
  ];
};

function namespaceCausesOfOlder({ regarding, metadata: { namespace = '' } = {} }: AnyEvent): readonly StatusCause[] {
  const about = regarding?.namespace ?? '';
  return about === namespace || (about === '' && namespace === 'default') ? NO_CAUSES : [mismatch(about)];
}

const mismatch = (about: string): StatusCause => invalidValue('involvedObject.namespace', about, 'does not match event.namespace');

const wordCauses = (field: string, word = ''): readonly StatusCause[] =>
  word === '' ? [required(field)] : longCauses(field, word, MAX_WORD_BYTES);

const longCauses = (field: string, text: string, maxBytes: number): readonly StatusCause[] =>
  Buffer.byteLength(text) > maxBytes ? [invalidValue(field, '', `can have at most ${maxBytes} characters`)] : NO_CAUSES;
