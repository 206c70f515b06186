/** Parameters without those that were not sent. */
export const given = (params: object): object => Object.fromEntries(Object.entries(params).filter(([, value]) => value !== undefined));
