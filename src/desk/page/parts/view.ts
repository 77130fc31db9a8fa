import { createContext, useContext } from 'react'
import type { DeskShell } from '../../contract/pages.ts'

const Shell = createContext<DeskShell | undefined>(undefined)

export const ShellProvider = Shell.Provider

/** The frame of the page: the product, the path, the token of forms. */
export function useShell(): DeskShell {
  const shell = useContext(Shell)
  if (!shell) throw new Error('there is no shell around this component')
  return shell
}
