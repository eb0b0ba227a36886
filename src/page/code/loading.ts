// Files of the page, and what is said if one does not come.

export const UNLOADED = "This could not be loaded. Try again in a moment.";

/** Load a file of the page. If the host has no such file, the error says `missing`. */
export async function loaded(address: string | URL, missing = UNLOADED): Promise<Response> {
  const answer = await fetch(address).catch(() => null);
  if (!answer?.ok) throw new Error(answer?.status === 404 ? missing : UNLOADED);
  return answer;
}
