/** The manager of fields that the server writes by itself. */
export const FIELD_MANAGER = 'system:coxswain';
