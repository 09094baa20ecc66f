/** Recognizes templates of configurations, whose YAML errors would be misleading. */

/** Outside comments and quotes of one line, where valid YAML never has `{{` before a dot, word or dash. */
const TEMPLATE_EXPRESSION = /^[^#"'\n]*\{\{-?[ \t]*[.$\w]/m;

/** A hint that an invalid text may be a template; empty if there is no sign of it. `lineOf` counts from 1. */
export function templateHint(text: string, lineOf: (offset: number) => number): string {
  const found = TEMPLATE_EXPRESSION.exec(text);
  return found === null ? '' : `; line ${lineOf(found.index)} looks like a template: check what it renders to`;
}
