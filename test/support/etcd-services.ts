/** For tests that play etcd, or check what is sent to it. */
export { etcdService } from '../../cmd/build/etcd-services.ts';
