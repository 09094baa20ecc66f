/** The worker thread of `yaml-reader.ts`: answers each text with its JSON or with the reason of its refusal. */
import { parentPort } from 'node:worker_threads';
import { YamlError, yamlToJson } from './yaml-to-json.ts';

export type YamlReply = { readonly json: Uint8Array } | { readonly refusal: string };

function reply(bytes: Uint8Array): YamlReply {
  try {
    return { json: new TextEncoder().encode(yamlToJson(new TextDecoder().decode(bytes))) };
  } catch (error) {
    if (error instanceof YamlError) return { refusal: error.message };
    throw error;
  }
}

parentPort?.on('message', (bytes: Uint8Array) => parentPort?.postMessage(reply(bytes)));
