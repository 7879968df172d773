package dashboard_test

// accountantJobs are of who closes the month.
var accountantJobs = []job{}
