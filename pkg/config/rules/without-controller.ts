/** Settings of controllers that do not run: by the list, a feature gate, something that they need, or a migration. */
import { documentOf, isComponent } from '../config-document.ts';
import { decider } from '../controllers/enabled-controllers.ts';
import { unmetNeed } from '../controllers/needs.ts';
import { controllersOf } from '../kinds/controllers-of.ts';
import type { KnownController } from '../kinds/known-controllers.ts';
import type { Rule } from './rule.ts';

/** A field may belong to several controllers: it has an effect while one of them runs. What keeps them off is itself no setting without effect. */
const settingsOfControllersThatAreOff: Rule = (document, report, { documents, isReadable, featureGates, changed }) => {
  if (!isComponent(document)) return;
  const separate = documentOf(documents, 'LeaderMigrationConfiguration');
  const migration = separate?.config;
  if (separate !== undefined && !isReadable(separate, 'controllerLeaders')) return;
  const decide = decider(document, { featureGates, ...(migration === undefined ? {} : { migration }) });
  const controllers = controllersOf(document.kind).map((controller) => ({
    ...controller,
    ...decide(controller),
    // Whoever scheduler a controller off in two ways means it.
    switchedOffBy: unmetNeed(document, controller)?.restsOn ?? [],
  }));
  for (const { path, field } of changed) {
    const own = controllers.filter(({ configuredBy }) => configuredBy.some((each) => path === each || path.startsWith(`${each}.`)));
    if (field.effectless === true || own.length === 0 || own.some(({ runs, switchedOffBy }) => runs || switchedOffBy.includes(path)))
      continue;
    report({
      path,
      about: own.flatMap(({ restsOn }) => restsOn),
      severity: 'warning',
      reason: 'NoEffect',
      message: `has no effect while ${and(own.map(({ name }) => name))} ${own.length === 1 ? 'is' : 'are'} off: ${and(own.map(({ why }) => why))}`,
    });
  }
};

/** A controller that the list asks for by name, and that never runs in this component. */
const controllersOfOtherComponents: Rule = (document, report) => {
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

export const WITHOUT_CONTROLLER: readonly Rule[] = [settingsOfControllersThatAreOff, controllersOfOtherComponents];
