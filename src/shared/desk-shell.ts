/** The sections of the desk, in the order in which they are shown. */
export const deskSections = ['today', 'people', 'letters', 'access'] as const

export type DeskSection = (typeof deskSections)[number]

/** What every page of the desk says around itself. */
export interface DeskFrame {
  readonly name: string
  /** Path of the logo in the folder of what everybody may load, such as `brand/logo.svg`. */
  readonly logo: string
  /** When the page was made, in ISO 8601. */
  readonly at: string
  /** The server's time zone, such as `Europe/Berlin`. */
  readonly zone: string
}

/** Where a section is. */
export function deskPath(section: DeskSection): string {
  return section === 'today' ? '/desk' : `/desk/${section}`
}
