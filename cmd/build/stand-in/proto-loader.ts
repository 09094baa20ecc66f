/**
 * In the bundle, what etcd3 loads its messages with. The library reads and parses `.proto` files whenever it is loaded, and describes each message for
 * reflection, which nobody asks for. Who logs in waits for that. Here they are read when the program is built.
 */
import protobuf from 'protobufjs/light.js';
import type { EtcdMessages } from '../etcd-messages.ts';

/** Put in by `cmd/build/bundle.ts`. */
declare const ETCD_MESSAGES: EtcdMessages;

/** As the library's: services by name, each with its methods. The file is the one that was read. */
export function loadSync(_file: string, options: protobuf.IConversionOptions): Readonly<Record<string, object>> {
  const root = protobuf.Root.fromJSON(ETCD_MESSAGES.types);
  const definitions = Object.entries(ETCD_MESSAGES.services).map(([service, methods]) => [
    service,
    Object.fromEntries(
      methods.map(({ name, requestType, responseType, ...method }) => [
        name,
        {
          ...method,
          requestSerialize: writerOf(root.lookupType(requestType)),
          requestDeserialize: readerOf(root.lookupType(requestType), options),
          responseSerialize: writerOf(root.lookupType(responseType)),
          responseDeserialize: readerOf(root.lookupType(responseType), options),
        },
      ]),
    ),
  ]);
  return Object.fromEntries(definitions) as Readonly<Record<string, object>>;
}

const writerOf = (type: protobuf.Type) => (message: object) => type.encode(type.fromObject(message)).finish();
const readerOf = (type: protobuf.Type, options: protobuf.IConversionOptions) => (bytes: Uint8Array) =>
  type.toObject(type.decode(bytes), options);
