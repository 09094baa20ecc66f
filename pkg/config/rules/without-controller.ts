/** Reports settings of controllers that do not run. */
import { documentOf, isComponent } from '../config-document.ts';
import { controllerDecider } from '../controllers/enabled-controllers.ts';
import { unmetRequirement } from '../controllers/requirements.ts';
import { controllersOf } from '../kinds/controllers-of.ts';
import type { KnownController } from '../kinds/known-controllers.ts';
import type { ConfigRule } from './rule.ts';

/** A field of several controllers has an effect while one of them runs. A setting that disables always has one. */
const settingsOfDisabledControllers: ConfigRule = (document, report, { documents, isReadable, featureGates, changed }) => {
  if (!isComponent(document)) return;
  const separate = documentOf(documents, 'LeaderMigrationConfiguration');
  const migration = separate?.config;
  if (separate !== undefined && !isReadable(separate, 'controllerLeaders')) return;
  const decide = controllerDecider(document, { featureGates, ...(migration === undefined ? {} : { migration }) });
  const controllers = controllersOf(document.kind).map((controller) => ({
    ...controller,
    ...decide(controller),
    // Turning a controller off in two ways is considered intentional.
    disablingPaths: unmetRequirement(document, controller)?.decidingPaths ?? [],
  }));
  for (const { path, field } of changed) {
    const own = controllers.filter(({ configuredBy }) => configuredBy.some((each) => path === each || path.startsWith(`${each}.`)));
    if (field.effectless === true || own.length === 0 || own.some(({ runs, disablingPaths }) => runs || disablingPaths.includes(path)))
      continue;
    report({
      path,
      relatedPaths: own.flatMap(({ decidingPaths }) => decidingPaths),
      severity: 'warning',
      reason: 'NoEffect',
      message: `has no effect while ${and(own.map(({ name }) => name))} ${own.length === 1 ? 'is' : 'are'} off: ${and(own.map(({ why }) => why))}`,
    });
  }
};

/** Reports controllers named in the list that this component never runs. */
const controllersOfOtherComponents: ConfigRule = (document, report) => {
  if (document.kind !== 'ClusterControllerManagerConfiguration') return;
  const elsewhere = new Map(
    controllersOf(document.kind).flatMap((each) =>
      each.cloudProvider === true ? [each.name, ...each.aliases].map((name): [string, KnownController] => [name, each]) : [],
    ),
  );
  for (const [index, selector] of document.config.Generic.Controllers.entries()) {
    const named = elsewhere.get(selector);
    if (named === undefined) continue;
    report({
      path: `Generic.Controllers[${index}]`,
      severity: 'warning',
      reason: 'NoEffect',
      message: `has no effect: ${named.name} runs in the cloud controller manager only`,
    });
  }
};

const and = (texts: readonly string[]): string => [...new Set(texts)].join(' and ');

export const WITHOUT_CONTROLLER: readonly ConfigRule[] = [settingsOfDisabledControllers, controllersOfOtherComponents];
