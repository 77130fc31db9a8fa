import type { LanguagePage } from './language-page.ts'

/** A script that a feature adds to a language beside its pages: its file, and its source. */
export type ScriptOf = (page: LanguagePage) => readonly [file: string, source: string]

export { joinScriptOf } from '../../src/features/embed/build.ts'
