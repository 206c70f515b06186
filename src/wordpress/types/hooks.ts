/**
 * Extension points of plugins, by name (WP: actions and filters). The module that calls a hook declares it (`declare module`), so the registry
 * knows none of them. @public
 */
export interface Hooks {}

/** Additions of a plugin: a value for each hook that it uses. */
export type AddedHooks = { readonly [Name in keyof Hooks]?: Hooks[Name] };
