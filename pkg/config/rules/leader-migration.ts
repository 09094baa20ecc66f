/** Rules for leader migration, separate or embedded in `Generic`: the lock, and known controllers and components. */
import { quotedText } from '../../apimachinery/status/quoted-text.ts';
import type { ConfigDocument } from '../config-document.ts';
import { isComponent } from '../config-document.ts';
import { isConfigured } from '../controllers/active-migration.ts';
import { KNOWN_CONTROLLERS } from '../kinds/controllers.gen.ts';
import type { LeaderMigrationConfiguration } from '../kinds/types.gen.ts';
import { createSuggester } from '../read/nearest-name.ts';
import { lockNameProblem } from './object-names.ts';
import type { Finding, ConfigRule } from './rule.ts';

const EMBEDDED = 'Generic.LeaderMigration';
const ELECT = 'Generic.LeaderElection.leaderElect';
const ENABLED = 'Generic.LeaderMigrationEnabled';
const RESOURCE_NAME = 'Generic.LeaderElection.resourceName';
const { components, effectlessNames } = KNOWN_CONTROLLERS.migration;

type MigrationRule = (migration: LeaderMigrationConfiguration, path: (name: string) => string, report: (finding: Finding) => void) => void;

const toConfigRule =
  (rule: MigrationRule): ConfigRule =>
  (document, report) => {
    if (document.kind === 'LeaderMigrationConfiguration') rule(document.config, (name) => name, report);
    else if (isConfigured(document.config.Generic.LeaderMigration))
      rule(document.config.Generic.LeaderMigration, (name) => `${EMBEDDED}.${name}`, report);
  };

const validLockName: MigrationRule = ({ leaderName, resourceLock }, path, report) => {
  const problem = lockNameProblem(path('leaderName'), leaderName);
  if (problem !== undefined) report(problem);
  if (resourceLock === '') report({ path: path('resourceLock'), reason: 'Missing', message: 'must be set to leases' });
  if (resourceLock !== 'endpoints') return;
  const message = 'is allowed here, but endpoints locks are no longer supported; use leases';
  report({ path: path('resourceLock'), severity: 'warning', reason: 'LeaderElection', message });
};

const knownLeaders: MigrationRule = ({ controllerLeaders }, path, report) => {
  const known = knownNames();
  const suggest = createSuggester(known);
  for (const [index, { name, component }] of controllerLeaders.entries()) {
    const at = (field: string) => path(`controllerLeaders[${index}].${field}`);
    const current = Object.hasOwn(effectlessNames, name) ? effectlessNames[name] : undefined;
    if (current !== undefined) {
      report({
        path: at('name'),
        severity: 'warning',
        reason: 'NoEffect',
        message: `has no effect in current releases: the controller is ${current} now`,
      });
    } else if (!known.has(name)) {
      const near = suggest(name);
      const hint = near === undefined ? '' : `; did you mean ${near}?`;
      report({
        path: at('name'),
        reason: 'UnknownController',
        message: name === '' ? 'must be set' : `${quotedText(name)} is not a known controller${hint}`,
      });
    }
    if (components.includes(component)) continue;
    const message = component === '' ? 'must be set' : `must be ${components.join(' or ')}, not ${quotedText(component)}`;
    report({ path: at('component'), reason: 'UnknownComponent', message });
  }
};

const uniqueLeaders: MigrationRule = ({ controllerLeaders }, path, report) => {
  const last = new Map(controllerLeaders.map(({ name }, index) => [name, index]));
  for (const [index, { name }] of controllerLeaders.entries()) {
    const effective = last.get(name) ?? index;
    if (effective === index || name === '') continue;
    const message = `has no effect: ${path(`controllerLeaders[${effective}]`)} is the last for ${name} and takes precedence`;
    report({ path: path(`controllerLeaders[${index}].name`), severity: 'warning', reason: 'NoEffect', message });
  }
};

/** With the same lock for both, neither could acquire the other. */
const separateLock: ConfigRule = (document, report) => {
  if (!isComponent(document)) return;
  const { LeaderElection, LeaderMigrationEnabled, LeaderMigration } = document.config.Generic;
  if (!LeaderElection.leaderElect || !LeaderMigrationEnabled || LeaderMigration.leaderName !== LeaderElection.resourceName) return;
  report({
    path: `${EMBEDDED}.leaderName`,
    relatedPaths: [ELECT, ENABLED, RESOURCE_NAME],
    reason: 'Conflict',
    message: `must differ from the lock of the component, resourceName, ${quotedText(LeaderElection.resourceName)}`,
  });
};

/** Checks a separate document against the components in the same file. */
const separateMigration: ConfigRule = (document, report, { documents, isReadable }) => {
  if (document.kind !== 'LeaderMigrationConfiguration') return;
  for (const component of documents.filter(isComponent)) {
    const { LeaderElection, LeaderMigrationEnabled, LeaderMigration } = component.config.Generic;
    const where = `document ${component.document}`;
    if (!isReadable(component, 'Generic')) continue;
    if (isConfigured(LeaderMigration)) {
      const isSame = JSON.stringify(contentOf(LeaderMigration)) === JSON.stringify(contentOf(document.config));
      report({
        path: '',
        relatedPaths: ['leaderName', 'resourceLock', 'controllerLeaders'],
        severity: isSame ? 'warning' : 'error',
        reason: 'Conflict',
        message: `${isSame ? 'repeats' : 'contradicts'} ${EMBEDDED} in ${where}; configure a migration only once`,
      });
    }
    if (!LeaderMigrationEnabled) {
      report({
        path: '',
        severity: 'warning',
        reason: 'NoEffect',
        message: `has no effect on ${where}, where LeaderMigrationEnabled is false`,
      });
    } else if (LeaderElection.leaderElect && document.config.leaderName === LeaderElection.resourceName) {
      report({
        path: 'leaderName',
        reason: 'Conflict',
        message: `must differ from the lock of the component in ${where}, resourceName, ${quotedText(LeaderElection.resourceName)}`,
      });
    }
  }
};

const contentOf = ({ leaderName, resourceLock, controllerLeaders }: LeaderMigrationConfiguration): object => ({
  leaderName,
  resourceLock,
  controllerLeaders,
});

const effectiveMigration: ConfigRule = (document, report) => {
  if (document.kind === 'LeaderMigrationConfiguration') return;
  const { LeaderElection, LeaderMigrationEnabled, LeaderMigration } = document.config.Generic;
  if (LeaderMigrationEnabled && !LeaderElection.leaderElect) {
    report({
      path: ENABLED,
      relatedPaths: [ELECT],
      severity: 'warning',
      reason: 'NoEffect',
      message: 'has no effect while leaderElect is false',
    });
  } else if (!LeaderMigrationEnabled && isConfigured(LeaderMigration)) {
    report({
      path: EMBEDDED,
      relatedPaths: [ENABLED],
      severity: 'warning',
      reason: 'NoEffect',
      message: 'has no effect while LeaderMigrationEnabled is false',
    });
  }
};

const knownNames = (): ReadonlySet<string> =>
  new Set(
    (['ClusterControllerManagerConfiguration', 'CloudControllerManagerConfiguration'] satisfies ConfigDocument['kind'][]).flatMap((kind) =>
      (KNOWN_CONTROLLERS.controllers[kind] ?? []).map(({ name }) => name),
    ),
  );

export const LEADER_MIGRATION: readonly ConfigRule[] = [
  ...[validLockName, knownLeaders, uniqueLeaders].map(toConfigRule),
  effectiveMigration,
  separateLock,
  separateMigration,
];
