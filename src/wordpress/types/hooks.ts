/**
 * What plugins can add to, by name (WP: actions and filters). The module that calls a hook declares it (`declare module`), so the registry
 * knows none of them. @public
 */
export interface Hooks {}

/** What a plugin adds: a value for each hook that it uses. */
export type AddedHooks = { readonly [Name in keyof Hooks]?: Hooks[Name] };
