import { heldInWords } from '../../../shared/held-letters.ts'
import { deskPaths } from '../../contract/pages.ts'
import type { TodayState } from '../../contract/today.ts'
import { Button } from '../parts/button.tsx'
import { Notice } from '../parts/light.tsx'
import { PostForm } from '../post-form.tsx'

/** The letters that are held, with a button for each reason that sends them. */
export function Held({ state }: { readonly state: TodayState }) {
  const reasons = heldInWords(state.held)
  if (reasons.length === 0) return null
  return (
    <div className="troubles after-3">
      {reasons.map(({ brake, text }) => (
        <Notice key={brake} tone="warn" title={text}>
          <PostForm action={deskPaths.release}>
            <input type="hidden" name="brake" value={brake} />
            <Button>Send them now</Button>
          </PostForm>
        </Notice>
      ))}
    </div>
  )
}
