// Package mail sends issued notes to their customers over SMTP. It knows
// neither the database nor the workflow engine: it makes one attempt, and says
// whether another one may help and when.
package mail
