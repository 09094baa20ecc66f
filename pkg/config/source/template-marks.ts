/** Files that are templates of configurations: what is wrong with them as YAML says little. */

/** Outside of remarks and quoted texts, as far as one line tells; no valid YAML has it there with a dot, a word or a dash behind it. */
const OPENS_TEMPLATE = /^[^#"'\n]*\{\{-?[ \t]*[.$\w]/m;

/** Why a text that cannot be read may be no YAML; empty when nothing points to that. `lineOf` counts from 1. */
export function templateHint(text: string, lineOf: (offset: number) => number): string {
  const found = OPENS_TEMPLATE.exec(text);
  return found === null ? '' : `; line ${lineOf(found.index)} looks like a template: check what it renders to`;
}
