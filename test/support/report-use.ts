/** Preloaded into a process: at its end it says, on standard error, what it used. */
import { registerHooks } from 'node:module';
import { pathToFileURL } from 'node:url';

export interface ProcessUse {
  /** The most that was resident at a time. */
  readonly maxRssKb: number;
  /** URLs of the modules that were loaded, those of the runtime among them. */
  readonly loaded: readonly string[];
}

const MARK = 'used ';

/** For the environment of a process. */
export const REPORTING_USE = { NODE_OPTIONS: `--import=${pathToFileURL(import.meta.filename).href}` };

/** What a process reported, and what else it wrote to standard error. */
export function readUse(stderr: string): { readonly use: ProcessUse; readonly stderr: string } {
  const at = stderr.lastIndexOf(MARK);
  if (at < 0) throw new Error(`the process did not report what it used: ${stderr}`);
  return { use: JSON.parse(stderr.slice(at + MARK.length)) as ProcessUse, stderr: stderr.slice(0, at) };
}

if (process.env['NODE_OPTIONS'] === REPORTING_USE.NODE_OPTIONS) {
  const loaded: string[] = [];
  registerHooks({
    load: (url, context, nextLoad) => {
      loaded.push(url);
      return nextLoad(url, context);
    },
  });
  process.on('exit', () => {
    const use: ProcessUse = { maxRssKb: process.resourceUsage().maxRSS, loaded };
    process.stderr.write(`${MARK}${JSON.stringify(use)}\n`);
  });
}
