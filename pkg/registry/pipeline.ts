/**
 * The steps of a write from decoded object to stored bytes, in order, for every kind. A step returns the changed object
 * or throws StatusError. Steps have no side effects: they run again after a conflict.
 *
 * Decoding has checked the types of values; any field may be absent.
 */
import type { AdmissionChain, AdmissionRequest } from '../admission/admission.ts';
import type { Kind, KubernetesObject, Strategy } from '../apis/kind.ts';
import type { UserInfo } from '../authentication/authenticator.ts';
import { equalByShape } from '../apis/equal-by-shape.ts';
import { internalGroup } from '../apis/internal-type.ts';
import { nextGeneration } from '../apis/next-generation.ts';
import type { RuleContext } from '../apis/rule-context.ts';
import { NO_CAUSES } from '../apimachinery/status/causes.ts';
import { invalid, type StatusCause } from '../apimachinery/status/status-error.ts';
import type { FieldManager } from '../fieldmanager/field-manager.ts';
import { metadataOnCreate, metadataOnUpdate, statusProtectedMetadata, withMetadata, withOwnerReferencesOnce } from './object-meta.ts';
import type { ObjectName, Subresource } from './object-store.ts';

/** Validation rules; each returns all its causes. */
export interface ObjectRules {
  /** Required fields and enumerations of the kind's schema. */
  readonly schema: (object: KubernetesObject) => readonly StatusCause[];
  /** Metadata rules of all kinds. */
  readonly metaOnCreate: (object: KubernetesObject) => readonly StatusCause[];
  readonly metaOnUpdate: (object: KubernetesObject, stored: KubernetesObject) => readonly StatusCause[];
}

export interface PipelineOptions {
  readonly kind: Kind;
  readonly rules: ObjectRules;
  readonly fieldManager: FieldManager;
  readonly admission: AdmissionChain;
  /** Context of the kind's rules. */
  readonly ruleContext: RuleContext;
}

interface WriteBase extends ObjectName {
  readonly object: KubernetesObject;
  /** Owner of changed fields. Absent: the object has its managedFields, as after an apply. */
  readonly manager?: string | undefined;
  readonly dryRun: boolean;
  readonly user?: UserInfo | undefined;
  readonly signal: AbortSignal;
  readonly nowMs: number;
  /** Receives warnings for the client, possibly repeated. */
  readonly warn?: ((text: string) => void) | undefined;
}
export interface CreateWrite extends WriteBase {
  readonly operation: 'CREATE';
  readonly uid: string;
  /** For an update that creates: throws Forbidden unless the sender may. */
  readonly mayCreate?: (() => Promise<void>) | undefined;
}
export interface UpdateWrite extends WriteBase {
  readonly operation: 'UPDATE';
  readonly subresource: Subresource;
  readonly stored: KubernetesObject;
}
export type ObjectWrite = CreateWrite | UpdateWrite;

interface PipelineStep {
  readonly name: string;
  readonly run: (options: PipelineOptions, write: ObjectWrite) => KubernetesObject | Promise<KubernetesObject>;
}

const STEPS: readonly PipelineStep[] = [
  { name: 'defaults', run: applyDefaults },
  { name: 'field management', run: manageFields },
  { name: 'admission (mutating)', run: admit },
  { name: 'strategy', run: applyStrategy },
  { name: 'validation', run: validate },
  { name: 'warnings', run: warn },
  { name: 'admission (validating)', run: admitOrRefuse },
];

/** Step names ending with the commit, for `docs/architecture.md`. */
export const WRITE_STEPS: readonly string[] = [...STEPS.map(({ name }) => name), 'storage'];

/** The object to be stored. */
export async function prepareWrite(options: PipelineOptions, write: ObjectWrite): Promise<KubernetesObject> {
  let current = write;
  for (const { run } of STEPS) {
    const next = run(options, current);
    current = { ...current, object: next instanceof Promise ? await next : next };
  }
  return options.kind.strategy.applyStoredDefaults?.(current.object) ?? current.object;
}

function applyDefaults({ kind }: PipelineOptions, { object }: ObjectWrite): KubernetesObject {
  return kind.strategy.applyDefaults?.(object) ?? object;
}

/** As in Kubernetes, the sender owns defaults; nobody owns what admission and the server add. */
function manageFields({ fieldManager }: PipelineOptions, write: ObjectWrite): KubernetesObject {
  const { manager, nowMs, object } = write;
  if (manager === undefined) return object;
  const [live, subresource] = write.operation === 'UPDATE' ? [write.stored, write.subresource] : [undefined, '' as const];
  return fieldManager.update(live, withOwnerReferencesOnce(object), { manager, subresource, nowMs });
}

function admit({ kind, admission }: PipelineOptions, write: ObjectWrite): KubernetesObject | Promise<KubernetesObject> {
  return admission.plugins.length === 0 ? write.object : admission.admit(admissionRequest(kind, write), write.object);
}

/** As in Kubernetes, whether an update may create is asked when the object is valid, and before anything happens. */
async function admitOrRefuse({ kind, admission }: PipelineOptions, write: ObjectWrite): Promise<KubernetesObject> {
  if (write.operation === 'CREATE') await write.mayCreate?.();
  if (admission.plugins.length > 0) await admission.validate(admissionRequest(kind, write));
  return write.object;
}

function admissionRequest({ definition }: Kind, write: ObjectWrite): AdmissionRequest {
  const { operation, namespace, name, object, dryRun, user, signal } = write;
  const [stored, subresource] = write.operation === 'UPDATE' ? [write.stored, write.subresource] : [undefined, '' as const];
  return { operation, definition, subresource, namespace, name, object, stored, user, dryRun, signal };
}

/** System-managed fields: resets, retained fields, generation. */
function applyStrategy({ kind, ruleContext }: PipelineOptions, write: ObjectWrite): KubernetesObject {
  const { dropDisabled } = kind.strategy;
  const stored = write.operation === 'CREATE' ? undefined : write.stored;
  const written = write.operation === 'CREATE' ? onCreate(kind, write) : onUpdate(kind, write);
  const enabled = dropDisabled === undefined ? written : dropDisabled(written, stored, ruleContext);
  return write.operation === 'CREATE' || write.subresource !== '' ? enabled : withGeneration(kind, enabled, write.stored);
}

function onCreate({ strategy }: Kind, write: CreateWrite): KubernetesObject {
  const stamped = metadataOnCreate(write.object, write);
  const generated = strategy.generation === 'spec' ? withMetadata(stamped, { generation: 1 }) : stamped;
  const reset = strategy.status?.resetOnCreate === true ? { ...generated, status: undefined } : generated;
  return strategy.prepareForCreate?.(reset) ?? reset;
}

function onUpdate({ strategy }: Kind, { object, stored, subresource }: UpdateWrite): KubernetesObject {
  const updated = metadataOnUpdate(object, stored);
  const rules = subresource === '' ? undefined : strategy.subresources?.[subresource];
  if (rules !== undefined) {
    return { ...updated, ...Object.fromEntries(rules.resets.map((name) => [name, stored[name]])) };
  }
  if (subresource !== '') {
    const statusUpdate = { ...stored, metadata: updated.metadata, status: updated['status'] };
    switch (strategy.status?.resetOnStatusUpdate) {
      case 'spec-and-metadata':
        return withMetadata(statusUpdate, statusProtectedMetadata(stored));
      case 'spec-and-all-metadata':
        return withMetadata({ ...statusUpdate, metadata: stored.metadata }, { managedFields: updated.metadata.managedFields });
      default:
        return statusUpdate;
    }
  }
  const reset = strategy.status?.resetOnUpdate === true ? { ...updated, status: stored['status'] } : updated;
  return strategy.prepareForUpdate?.(reset, stored) ?? reset;
}

/** Incremented when the stored spec changes; a missing field is no change. */
function withGeneration(kind: Kind, object: KubernetesObject, stored: KubernetesObject): KubernetesObject {
  if (kind.strategy.generation !== 'spec' || !specChanged(kind, object, stored)) return object;
  return withMetadata(object, { generation: nextGeneration(stored.metadata.generation) });
}

function specChanged({ shape }: Kind, object: KubernetesObject, stored: KubernetesObject): boolean {
  const spec = shape.fields.find(({ name }) => name === 'spec');
  return spec !== undefined && !equalByShape(spec.type, object['spec'], stored['spec']);
}

/** Collects all causes: metadata, schema, rules of the kind. */
function validate({ kind, rules, ruleContext }: PipelineOptions, write: ObjectWrite): KubernetesObject {
  const { object } = write;
  const causes = [...metaCauses(rules, write), ...mergeCauses(rules.schema(object), kindCauses(kind, write, ruleContext))];
  if (causes.length > 0) {
    throw invalid({ group: internalGroup(kind), kind: kind.definition.kind }, object.metadata.name ?? '', causes);
  }
  return object;
}

const metaCauses = (rules: ObjectRules, write: ObjectWrite): readonly StatusCause[] =>
  write.operation === 'CREATE' ? rules.metaOnCreate(write.object) : rules.metaOnUpdate(write.object, write.stored);

function kindCauses({ strategy }: Kind, write: ObjectWrite, context: RuleContext): readonly StatusCause[] {
  const { object } = write;
  if (write.operation === 'CREATE') return strategy.validateCreate?.(object, context) ?? NO_CAUSES;
  return validationOf(strategy, write.subresource)?.(object, write.stored, context) ?? NO_CAUSES;
}

function validationOf(strategy: Strategy, subresource: string): Strategy['validateUpdate'] {
  if (subresource === '') return strategy.validateUpdate;
  const rules = strategy.subresources?.[subresource];
  return rules === undefined ? strategy.validateStatusUpdate : rules.validateUpdate;
}

/**
 * Rules are more specific than the schema, so they replace its causes for the same or an enclosing field, and those for
 * a list item when a rule has the same reason for the list, as for access modes.
 */
function mergeCauses(schema: readonly StatusCause[], rules: readonly StatusCause[]): readonly StatusCause[] {
  if (schema.length === 0) return rules;
  const named = new Set(rules.flatMap(({ field = '' }) => [...prefixesOf(field)]));
  const reported = new Set(rules.map(({ reason, field = '' }) => `${reason} ${field}`));
  const isReported = ({ reason, field = '' }: StatusCause) =>
    named.has(field) || (field.endsWith(']') && reported.has(`${reason} ${field.slice(0, field.lastIndexOf('['))}`));
  return [...schema.filter((cause) => !isReported(cause)), ...rules];
}

/** `a.b[0]` yields `a`, `a.b` and `a.b[0]`. */
function* prefixesOf(field: string): Generator<string> {
  for (let at = 1; at < field.length; at++) {
    if (field[at] === '.' || field[at] === '[') yield field.slice(0, at);
  }
  yield field;
}

/** Warnings of a successful write. Writes to subresources have none. */
function warn({ kind: { strategy } }: PipelineOptions, write: ObjectWrite): KubernetesObject {
  const { object, warn: addWarning } = write;
  if (addWarning === undefined || (write.operation === 'UPDATE' && write.subresource !== '')) return object;
  const texts = write.operation === 'CREATE' ? strategy.warnOnCreate?.(object) : strategy.warnOnUpdate?.(object, write.stored);
  for (const text of texts ?? []) addWarning(text);
  return object;
}
