import { deskPaths } from '../../contract/pages.ts'

/** The address of the page with its settings; defaults are left out. */
export function addressOf({ span, sort }: { readonly span: string; readonly sort: string }) {
  const given = Object.entries({ span, sort }).filter(([, value]) => value !== '')
  return `${deskPaths.today}?${new URLSearchParams(given)}`
}
