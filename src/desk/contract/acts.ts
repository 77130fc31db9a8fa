import type { Act } from '../../shared/report.ts'

/** What the desk has for an act of a report: where its button posts, or the page that shows it. */
export const deskActs: Readonly<
  Partial<Record<Act['code'], { readonly post?: string; readonly href?: string }>>
> = {}
