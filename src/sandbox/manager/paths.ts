export const managerPath = '/manage/api/'
export const signInPath = '/manage/sign-in/'
export const signOutPath = '/manage/sign-out/'
