import type { ComponentType } from 'react'
import * as features from '../../features/desk-page.tsx'
import { say, translated } from '../../shared/say.ts'
import {
  type DeskPage,
  type DeskView,
  deskPaths,
  type FeaturePage,
  type ProblemPage,
} from '../contract/pages.ts'
import { places } from '../contract/places.ts'
import { Access } from './access.tsx'
import { Door } from './door.tsx'
import { Letter } from './letters/letter.tsx'
import { LetterForm } from './letters/letter-form.tsx'
import { Letters } from './letters/letters.tsx'
import { Opening } from './opening/opening.tsx'
import { OpeningSure } from './opening/opening-sure.tsx'
import { ButtonLink } from './parts/button.tsx'
import { ShellProvider } from './parts/view.ts'
import { People } from './people/people.tsx'
import { ReportPage } from './report/report.tsx'
import { Shell } from './shell.tsx'
import { Today } from './today/today.tsx'

/** Each page by its name: the title of its tab, and what draws it. */
const pages: { readonly [Name in DeskPage['page']]: readonly [title: string, Drawn<Name>] } = {
  today: [places.today.title, Today],
  access: [places.access.title, Access],
  feature: ['Feature', OfFeature],
  letters: [places.letters.title, Letters],
  letter: ['Letter', Letter],
  'letter-form': ['Letter', LetterForm],
  opening: [places.opening.title, Opening],
  'opening-sure': ['Opening', OpeningSure],
  problem: ['Problem', Problem],
  door: ['Desk', Door],
  people: [places.people.title, People],
  report: ['Report', ReportPage],
}

type Drawn<Name> = ComponentType<Extract<DeskPage, { readonly page: Name }>>

/** A page with everything around it: the same on the server and in the browser. */
export function Desk({ shell, page }: DeskView) {
  const Page = pages[page.page][1] as ComponentType<DeskPage>
  const drawn = <Page {...page} />
  return (
    <ShellProvider value={shell}>
      {page.page === 'door' ? drawn : <Shell>{drawn}</Shell>}
    </ShellProvider>
  )
}

/** The title of a page's tab. */
export function titleOf({ shell, page }: DeskView): string {
  const [usual] = pages[page.page]
  const own = page.page === 'feature' ? page.title : usual
  const title = page.page === 'report' ? page.report.title : own
  return `${translated(title)} · ${shell.product.name}`
}

/** What a feature draws by itself. */
function OfFeature({ feature, shown }: FeaturePage) {
  const all: features.DeskPages = features
  const Page = all[feature]
  return Page && <Page {...shown} />
}

/** What could not be done, with a link to go on. */
function Problem({ title, text }: ProblemPage) {
  return (
    <div className="narrow stack after-6">
      <h1 className="heading">{title}</h1>
      <p className="quiet">{text}</p>
      <p className="after-3">
        <ButtonLink href={deskPaths.today}>{say('To the first page')}</ButtonLink>
      </p>
    </div>
  )
}
