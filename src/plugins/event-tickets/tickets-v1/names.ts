export const TICKETS_NAMESPACE = 'tribe/tickets/v1';
