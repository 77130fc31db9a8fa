import { deskPaths } from '../../contract/pages.ts'
import type { ForgetPage } from '../../contract/people.ts'
import { Back } from '../parts/back.tsx'
import { Button, ButtonLink } from '../parts/button.tsx'
import { Sentences } from '../parts/definitions.tsx'
import { Section } from '../parts/section.tsx'
import { PostForm } from '../post-form.tsx'
import { Address } from './address.tsx'

/** Asks once more, and says what goes and what stays. */
export function Forget({ id, email, erased, stays }: ForgetPage) {
  const back = `${deskPaths.people}/${id}`
  return (
    <div className="measure">
      <Back to={deskPaths.people}>People</Back>
      <h1 className="heading">
        Forget <Address email={email} />?
      </h1>
      <div className="pairs">
        <Section title="What is erased">
          <Sentences of={erased} />
        </Section>
        <Section title="What stays">
          <Sentences of={stays} />
        </Section>
      </div>
      <p className="quiet after-3">They may sign up again by themselves.</p>
      <PostForm action={`${back}/forget`} className="row after-6">
        <Button kind="danger">Forget for good</Button>
        <ButtonLink href={back}>Keep</ButtonLink>
      </PostForm>
    </div>
  )
}
