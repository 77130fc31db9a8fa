import type { ReactNode } from 'react'
import { deskPaths } from '../shared/desk-pages.ts'
import { useShell } from './view.ts'

const places = [
  ['Today', deskPaths.today],
  ['People', deskPaths.people],
  ['Letters', deskPaths.letters],
  ['Access', deskPaths.access],
] as const

/** The head of every page, and the page beneath it. */
export function Shell({ children }: { children: ReactNode }) {
  const { product, path } = useShell()
  const isHere = (place: string) =>
    place === deskPaths.today ? path === place : path.startsWith(place)
  return (
    <>
      <header className="head">
        <a className="brand" href={deskPaths.today}>
          <img src={`/${product.logo}`} alt="" height="24" />
          {product.name}
        </a>
        <nav aria-label="The desk">
          {places.map(([name, place]) => (
            <a key={place} href={place} aria-current={isHere(place) ? 'page' : undefined}>
              {name}
            </a>
          ))}
        </nav>
      </header>
      <main>{children}</main>
    </>
  )
}
