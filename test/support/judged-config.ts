/** What the rules find in a configuration, as short texts. */
import { parseConfig } from '../../pkg/config/load-config.ts';
import type { LoadOptions } from '../../pkg/config/load-config.ts';
import type { Problem } from '../../pkg/config/problem.ts';

export const CLUSTER_HEAD = 'apiVersion: clustercontrollermanager.config.k8s.io/v1alpha1\nkind: ClusterControllerManagerConfiguration\n';
export const CLOUD_HEAD = 'apiVersion: cloudcontrollermanager.config.k8s.io/v1alpha1\nkind: CloudControllerManagerConfiguration\n';
export const MIGRATION_HEAD = 'apiVersion: controllermanager.config.k8s.io/v1alpha1\nkind: LeaderMigrationConfiguration\n';

/** `severity path: message` of each problem, in the order of the file. */
export const judged = (text: string, options: LoadOptions = {}): string[] =>
  parseConfig(text, options).problems.map(({ severity, path, message }) => `${severity} ${path}: ${message}`);

/** The same of a cluster controller manager's fields. */
export const judgedCluster = (fields: string, options: LoadOptions = {}): string[] => judged(CLUSTER_HEAD + fields, options);

/** The same of a cloud controller manager's fields. */
export const judgedCloud = (fields: string, options: LoadOptions = {}): string[] => judged(CLOUD_HEAD + fields, options);

/** `line:column path` of each problem: lines count from the first behind kind and apiVersion. */
export const places = (fields: string, head = CLUSTER_HEAD): string[] =>
  parseConfig(head + fields).problems.map(({ line, column, path }: Problem) => `${line - 2}:${column} ${path}`);
