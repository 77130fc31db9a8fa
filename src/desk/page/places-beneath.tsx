import { translated } from '../../shared/say.ts'
import { type PlaceName, placesBeneath } from '../contract/places.ts'
import { useShell } from './parts/view.ts'

/** Links to the places that belong to a page, a line each. */
export function PlacesBeneath({ place }: { readonly place: PlaceName }) {
  const { places } = useShell()
  return placesBeneath(places, place).map(({ path, link }) => (
    <p key={path} className="note after-4">
      <a href={path}>{link && translated(link)}</a>
    </p>
  ))
}
