package dashboard_test

// developerJobs are of who integrates.
var developerJobs = []job{}
