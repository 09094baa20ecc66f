import type { Tree } from './tree.ts';

/** Elsewhere than in its own field it would be another value on each server. */
export const hasPlaceholder = (tree: Tree | undefined): boolean => tree !== undefined && JSON.stringify(tree).includes('{{');

/**
 * What each server makes up in its own way, by a name that both share: `{{uid:0}}` is the first uid of a case. Requests
 * are planned with the names, and each server gets its own values.
 */
/** Shorter ones were not made by a server. */
const MIN_UID = 36;

export class Placeholders {
  readonly #names = new Map<string, string>();
  readonly #values = new Map<string, string>();
  readonly #counts = new Map<string, number>();

  /** The name of a value; a new value gets the next number of its topic. */
  nameOf(topic: 'uid' | 'rv', value: string): string {
    const key = `${topic} ${value}`;
    const known = this.#names.get(key);
    if (known !== undefined) return known;
    const count = this.#counts.get(topic) ?? 0;
    const name = `{{${topic}:${count}}}`;
    this.#counts.set(topic, count + 1);
    this.#names.set(key, name);
    this.#values.set(name, value);
    return name;
  }

  /** For a name that stands for another value at any time. */
  set(name: string, value: string): string {
    this.#values.set(name, value);
    return name;
  }

  /** The text with the server's own values. */
  fill(text: string): string {
    return text.replaceAll(/\{\{[a-z]+(?::\d+)?\}\}/g, (name) => this.#values.get(name) ?? name);
  }

  /** The text with names for the uids in it. */
  hideUids(text: string): string {
    let hidden = text;
    for (const [name, value] of this.#values)
      if (name.startsWith('{{uid:') && value.length >= MIN_UID) hidden = hidden.replaceAll(value, name);
    return hidden;
  }

  /** The same for versions in quotes. */
  hideVersions(text: string): string {
    let hidden = text;
    for (const [name, value] of this.#values) if (name.startsWith('{{rv:')) hidden = hidden.replaceAll(`"${value}"`, `"${name}"`);
    return hidden;
  }
}
