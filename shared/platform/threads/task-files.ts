let filesUrl = "";

/** Names the file store of the task that begins in this thread. */
export function useFiles(url: string): void {
  filesUrl = url;
}

/** The address of the file store that this thread's task reads. */
export const filesOfTask = (): string => filesUrl;
