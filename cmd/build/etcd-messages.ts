/** What etcd3 reads from its `.proto` files whenever it is loaded, read once, when the program is built. */
import { createRequire } from 'node:module';
import path from 'node:path';
import { loadSync, type MethodDefinition } from '@grpc/proto-loader';
import protobuf from 'protobufjs';

/** Names by which `cmd/build/stand-in/proto-loader.ts` makes the services anew. */
export interface EtcdMessages {
  /** As protobuf.js writes and reads it. */
  readonly types: protobuf.INamespace;
  readonly services: Readonly<Record<string, readonly EtcdMethod[]>>;
}

export interface EtcdMethod {
  readonly name: string;
  readonly originalName: string;
  readonly path: string;
  readonly requestStream: boolean;
  readonly responseStream: boolean;
  /** With their packages. */
  readonly requestType: string;
  readonly responseType: string;
}

export function readEtcdMessages(root: string): EtcdMessages {
  const file = path.join(path.dirname(createRequire(path.join(root, 'package.json')).resolve('etcd3/package.json')), 'proto/rpc.proto');
  const loaded = new protobuf.Root().loadSync(file, { keepCase: true }).resolveAll();
  const services: Record<string, readonly EtcdMethod[]> = {};
  for (const [service, definition] of Object.entries(loadSync(file, { keepCase: true }))) {
    if ('format' in definition) continue;
    const methods: readonly MethodDefinition<object, object>[] = Object.values(definition);
    services[service] = methods.map((method) => {
      const name = method.path.slice(method.path.lastIndexOf('/') + 1);
      const { resolvedRequestType, resolvedResponseType } = loaded.lookupService(service).methods[name] ?? {};
      if (!resolvedRequestType || !resolvedResponseType) throw new Error(`the method ${method.path} of etcd has no types`);
      return {
        name,
        originalName: method.originalName ?? name,
        path: method.path,
        requestStream: method.requestStream,
        responseStream: method.responseStream,
        requestType: resolvedRequestType.fullName,
        responseType: resolvedResponseType.fullName,
      };
    });
  }
  return { types: loaded.toJSON(), services };
}
