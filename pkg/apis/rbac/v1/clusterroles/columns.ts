import { roleTable } from '../role-table.ts';

export const table = roleTable;
