import { Refused } from '../shared/refused.ts'

/** Why a row of a file is not taken. */
export type RowProblem =
  | { readonly code: 'no-address' | 'never-confirmed' | 'no-reason' | 'no-proof' }
  | { readonly code: 'cut' | 'cut-short' | 'too-many-cells' | 'several-addresses' }
  /** A cell that is read has the replacement character. */
  | { readonly code: 'not-decoded'; readonly encoding: string | undefined }
  | { readonly code: 'not-an-address' | 'not-a-time'; readonly value: unknown }
  /** A check of the site left it. */
  | { readonly code: 'of-a-check'; readonly email: string }
  /** Day and month cannot be told apart. */
  | { readonly code: 'day-or-month'; readonly text: string }
  | { readonly code: 'to-come' | 'before-1970'; readonly at: Date }
  | { readonly code: 'unknown-standing'; readonly word: string }
  /** Neither a yes, a no nor a time, in a column that says who left or who agreed. */
  | { readonly code: 'unread-cell'; readonly column: string; readonly value: unknown }

/** A column that an operator may name. */
export type NamedColumn = 'email' | 'time' | 'status' | 'ignore'

/** Why a file is not read, or not to its end. */
export type FileProblem =
  | { readonly code: 'utf-32' | 'archive' | 'no-text' | 'no-address-column' }
  | { readonly code: 'markup' | 'json-as-csv' | 'broken-name' }
  | { readonly code: 'not-json' | 'long-json' | 'too-many-columns' }
  /** These may say who must not be written to. */
  | { readonly code: 'unread-columns'; readonly names: readonly string[] }
  | { readonly code: 'unreadable'; readonly isFolder: boolean; readonly answer: string }
  | {
      readonly code: 'no-such-column'
      readonly column: NamedColumn
      readonly name: string
      readonly names: readonly string[]
    }
  /** @see https://csv.js.org/parse/errors/ for `mistake`; `line` is the last whole one where it is not `exact`. */
  | {
      readonly code: 'not-csv'
      readonly mistake: string
      readonly line: number
      readonly exact: boolean
    }

/** @returns the error to throw. */
export const refused = (why: FileProblem, options?: ErrorOptions) => new Refused(why, options)
